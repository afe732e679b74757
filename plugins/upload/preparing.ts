import type { ShownDocument } from '../../core';
import { validationError } from '../../core';
import type { FileInfo } from './file-info';
import { endingOf, kilobytes, newHash, newMark } from './file-name';
import type { ReceivedFile } from './form';
import type { ImageSettings, ImageSize, ImageWork } from './images/image-work';
import { svgSize } from './images/svg-size';
import type { Keeper, Placing } from './keeper';
import { isAmong, mediaTypeOf, typeOfEnding } from './media-type';
import type { UploadOptions } from './options';
import type { Staging } from './staging';

export interface Format {
  readonly name: string;
  readonly hash: string;
  readonly ext: string;
  readonly mime: string;
  readonly path: null;
  readonly width: number;
  readonly height: number;
  readonly size: number;
  readonly sizeInBytes: number;
  readonly url: string;
}

export type Formats = Readonly<Record<string, Format>>;

/** A file's own name in the place where files are kept. */
export interface Named {
  readonly hash: string;
  readonly ext: string;
}

/** A file ready to be kept: what is known of it, and what lies on the disk. */
export interface Prepared {
  readonly data: Readonly<Record<string, unknown>>;
  /** The file itself, then its smaller versions. */
  readonly placings: readonly [Placing, ...Placing[]];
  /** Staged files that were made on the way. */
  readonly made: readonly string[];
  /** Smaller versions that are made when the file is kept, out of this staged one. */
  readonly later?: Versions & { readonly source: string };
}

/** What smaller versions are made by. */
export interface Versions {
  readonly size: ImageSize;
  readonly mime: string;
  readonly named: Named;
  readonly name: string;
}

export interface MadeVersions {
  readonly placings: readonly Placing[];
  readonly formats: Formats | null;
}

export const keyOf = ({ hash, ext }: Named): string => hash + ext;

/** Addresses end with keys. */
export const keyAtEnd = (url: unknown): string | undefined => /[^/?#]+(?=$|[?#])/.exec(String(url))?.[0];

/** A smaller version's key: that of a replaced file has a mark behind its name, which its address tells. */
export function keyOfFormat(format: Format): string {
  const key = keyAtEnd(format.url);
  return key?.startsWith(`${format.hash}_`) && key.endsWith(format.ext) ? key : keyOf(format);
}

/** The keys of all that is kept of a file. */
export function keysOf(file: ShownDocument): string[] {
  const formats = Object.values((file['formats'] ?? {}) as Formats);
  return [keyOf(file as unknown as Named), ...formats.map(keyOfFormat)];
}

export interface PreparingParts {
  readonly keeper: Pick<Keeper, 'urlOf' | 'provider'>;
  readonly staging: Staging;
  readonly images: ImageWork;
  readonly settings: () => ImageSettings;
  readonly options: UploadOptions;
}

/** Makes of what was received what is kept. */
export function createPreparing(parts: PreparingParts) {
  const { keeper, staging, images, options } = parts;

  /** Both what the file is and what its ending says, for by that it is handed out. */
  function refuseTypes(mime: string, ext: string): void {
    const { allowedTypes, deniedTypes } = options.security;
    for (const type of [mime, typeOfEnding(ext) ?? mime])
      if ((allowedTypes && !isAmong(type, allowedTypes)) || (deniedTypes && isAmong(type, deniedTypes)))
        throw validationError(`File type '${type}' is not allowed`);
  }

  async function formatsOf(
    source: string,
    { size, mime, named: own, name }: Versions,
    newPath: () => string,
    mark = '',
  ): Promise<MadeVersions> {
    const placings: Placing[] = [];
    const formats: Record<string, Format> = {};
    for (const box of images.boxesFor(size, parts.settings())) {
      const made = await images.smaller(source, box, mime, own.ext, newPath);
      const named: Named = { hash: `${box.name}_${own.hash}`, ext: made.ending };
      const key = named.hash + mark + named.ext;
      placings.push({ key, file: made });
      formats[box.name] = {
        name: `${box.name}_${name}`,
        ...named,
        mime: made.mime,
        path: null,
        width: made.width,
        height: made.height,
        size: kilobytes(made.size),
        sizeInBytes: made.size,
        url: keeper.urlOf(key),
      };
    }
    return { placings, formats: Object.keys(formats).length > 0 ? formats : null };
  }

  /** Looks at a received file and makes of it what is kept; `own` is its name where it replaces another. */
  async function prepare(file: ReceivedFile, info: FileInfo, own?: Named): Promise<Prepared> {
    const made: string[] = [];
    try {
      const mime = mediaTypeOf(file.name, file.claimed, file.head);
      const name = info.name || file.name;
      const ext = own?.ext ?? endingOf(file.name, mime);
      refuseTypes(mime, ext);
      const named: Named = own ?? { hash: newHash(name, ext), ext };
      const header = await images.headerOf(file.path, mime);
      const size = header ? images.sizeOf(header) : mime === 'image/svg+xml' ? svgSize(file.head) : undefined;
      const newPath = (): string => {
        const path = staging.newPath();
        made.push(path);
        return path;
      };
      let kept: { path: string; size: number } = file;
      let small: MadeVersions = { placings: [], formats: null };
      let later: Versions | undefined;
      if (header && size) {
        kept = (await images.clean(file.path, mime, header, newPath, parts.settings())) ?? file;
        const versions = { size, mime, named, name };
        if (options.images.background && !own) later = versions;
        // Those of a replacement lie beside the old ones, which stay until the new file is there.
        else small = await formatsOf(kept.path, versions, newPath, own && newMark());
      }
      const { alternativeText, caption, focalPoint } = info;
      return {
        data: {
          name,
          ...(alternativeText !== undefined && { alternativeText }),
          ...(caption !== undefined && { caption }),
          ...(focalPoint !== undefined && { focalPoint }),
          ...(size && { width: size.width, height: size.height }),
          formats: small.formats,
          ...named,
          mime,
          size: kilobytes(kept.size),
          url: keeper.urlOf(keyOf(named)),
          provider: keeper.provider,
        },
        placings: [{ key: keyOf(named), file: { path: kept.path, size: kept.size, mime } }, ...small.placings],
        made,
        ...(later && { later: { ...later, source: kept.path } }),
      };
    } catch (error) {
      await Promise.all(made.map(staging.drop));
      throw error;
    }
  }

  return { prepare, formatsOf };
}
