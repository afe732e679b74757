import { rm, stat } from 'node:fs/promises';
import type { Metadata, Sharp, SharpOptions } from 'sharp';
import { createTurns, HeddleError, validationError } from '../../../core';
import type { UploadOptions } from '../options';

/** An image as its header tells it; nothing of it was decoded. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** A version of an image that lies ready on the disk. */
export interface MadeImage extends ImageSize {
  readonly path: string;
  readonly size: number;
  readonly mime: string;
  readonly ending: string;
}

/** What a smaller version is called, and the box that it must fit into. */
interface Box extends ImageSize {
  readonly name: string;
}

export interface ImageSettings {
  /** Images are written anew where that makes them smaller: it costs next to nothing of what can be seen. */
  readonly optimize: boolean;
  /** Whether there are versions besides the thumbnail. */
  readonly responsive: boolean;
}

/** Types that are decoded and written anew; all others are kept as they came. */
const workable = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/tiff', 'image/avif', 'image/gif']);
/** Where writing anew keeps what makes the image what it is. */
const optimizable = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/tiff', 'image/avif']);
const optimizedQuality = 80;
const carefulQuality = 90;

export const thumbnailBox: Box = { name: 'thumbnail', width: 245, height: 156 };

const bomb = (): HeddleError => validationError('The image has more pixels than are taken');

const framesOf = ({ pages = 1 }: Metadata): number => pages;

/** EXIF turns images by quarters: then width and height change places. */
function sizeOf({ width, height, pageHeight, orientation = 1 }: Metadata): ImageSize {
  const upright = { width, height: pageHeight ?? height };
  return orientation >= 5 ? { width: upright.height, height: upright.width } : upright;
}

const tellsMore = ({ exif, xmp, iptc, tifftagPhotoshop, comments }: Metadata): boolean =>
  Boolean(exif || xmp || iptc || tifftagPhotoshop || comments?.length);

/** Whether an image is larger than a box in either direction. */
const exceeds = ({ width, height }: ImageSize, box: ImageSize): boolean => width > box.width || height > box.height;

export function createImageWork({ images, breakpoints }: UploadOptions) {
  const inTurn = createTurns(images.parallel);
  const seconds = Math.max(1, Math.round(images.timeout / 1000));

  /** The library is loaded when the first image comes. */
  function open(path: string, more: SharpOptions = {}): Sharp {
    const sharp = require('sharp') as typeof import('sharp');
    sharp.cache(false);
    return sharp(path, { ...more, limitInputPixels: images.maxPixels, failOn: 'error' }).timeout({ seconds });
  }

  /** An image's header, or nothing for what is none after all; refuses what would be too much to decode. */
  async function headerOf(path: string, mime: string): Promise<Metadata | undefined> {
    if (!workable.has(mime)) return undefined;
    const image = open(path);
    let header: Metadata;
    try {
      header = await image.metadata();
    } catch (error) {
      if (/pixel limit/i.test((error as Error).message)) throw bomb();
      return undefined;
    }
    const { width, height } = sizeOf(header);
    if (width * height * framesOf(header) > images.maxPixels) throw bomb();
    return header;
  }

  async function written(image: Sharp, path: string, mime: string, ending: string): Promise<MadeImage> {
    const { width, height, size } = await image.toFile(path);
    return { path, width, height, size, mime, ending };
  }

  /**
   * The image upright and without what it tells of camera and place; nothing where it stays as it came. Of those with several
   * frames only WebP is sure to keep them all, and none can be turned.
   */
  async function cleaned(
    path: string,
    mime: string,
    header: Metadata,
    newPath: () => string,
    { optimize }: ImageSettings,
  ) {
    const isTurned = (header.orientation ?? 1) > 1;
    const mustChange = tellsMore(header) || isTurned;
    if (framesOf(header) > 1) {
      if (mime !== 'image/webp' || isTurned || !mustChange) return undefined;
      const film = open(path, { animated: true }).webp({ quality: carefulQuality, effort: 0 });
      return written(film, newPath(), mime, '');
    }
    if (!optimizable.has(mime) || !(optimize || mustChange)) return undefined;
    const format = mime.slice('image/'.length) as 'jpeg' | 'png' | 'webp' | 'tiff' | 'avif';
    const quality = optimize ? optimizedQuality : carefulQuality;
    const made = await written(open(path).rotate().toFormat(format, { quality }), newPath(), mime, '');
    if (mustChange || made.size < (await stat(path)).size) return made;
    await rm(made.path, { force: true });
    return undefined;
  }

  async function smaller(
    path: string,
    box: Box,
    mime: string,
    ending: string,
    newPath: () => string,
  ): Promise<MadeImage> {
    const { format, quality } = images;
    const image = open(path).rotate().resize(box.width, box.height, { fit: 'inside' });
    if (format)
      return written(image.toFormat(format, quality ? { quality } : {}), newPath(), `image/${format}`, `.${format}`);
    const own = mime.slice('image/'.length) as 'jpeg';
    return written(image.toFormat(own, quality ? { quality } : {}), newPath(), mime, ending);
  }

  /** Decoders say of broken images, and of full disks, whatever comes to their mind, and have no names for it. */
  async function told<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await inTurn(work);
    } catch (error) {
      if (error instanceof HeddleError) throw error;
      if (/no space left|read-only file system|quota exceeded/i.test((error as Error).message))
        throw new HeddleError('ServiceUnavailableError', 'Files can not be kept just now', {}, { cause: error });
      throw new HeddleError('ValidationError', 'The image can not be read', {}, { cause: error });
    }
  }

  return {
    headerOf,
    sizeOf,
    isImage: (mime: string) => workable.has(mime),
    clean: (...given: Parameters<typeof cleaned>) => told(() => cleaned(...given)),
    /** The smaller versions that an image of this size has, by name: the thumbnail first, the largest last. */
    boxesFor(size: ImageSize, { responsive }: ImageSettings): Box[] {
      const points = Object.entries(breakpoints)
        .map(([name, most]) => ({ name, width: most, height: most }))
        .sort((a, b) => a.width - b.width);
      return [thumbnailBox, ...(responsive ? points : [])].filter((box) => exceeds(size, box));
    },
    smaller: (...given: Parameters<typeof smaller>) => told(() => smaller(...given)),
  };
}

export type ImageWork = ReturnType<typeof createImageWork>;
