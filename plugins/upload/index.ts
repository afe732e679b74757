import { join } from 'node:path';
import { CONTENT, DOCUMENTS, definePlugin, type Principal, queryLimits, type ShownDocument, token } from '../../core';
import { createQueryReader, restPrefix } from '../rest';
import { DATABASE } from '../sql';
import { createAttaching } from './attach';
import { fileUid, withUploadTypes } from './content-types';
import { describeForm } from './description';
import type { FileInfo } from './file-info';
import { createFiling } from './folders';
import { addToGraphql } from './graphql-fields';
import { uploadHooks } from './hooks';
import { createImageWork } from './images/image-work';
import { createKeeper, type Keeper, type Note } from './keeper';
import { createLibrary, type Library, ownRights, type PendingVersions } from './library';
import { media } from './media-kind';
import { type UploadOptions, uploadOptions } from './options';
import { keysOf } from './preparing';
import { type ChosenStore, chooseStore } from './providers/choose';
import { type LocalOptions, localFolders, localName, uploadsPath } from './providers/local';
import { addRoutes } from './routes';
import { createServing } from './serving';
import { type Addresses, createAddresses } from './signed-addresses';
import { refuseOtherSorts } from './sort-check';
import { createStaging } from './staging';
import { storedSettings } from './stored-settings';

/** Files, for other plugins and the application's own code. */
export interface Files {
  /** Changes what is said about a file; refused with NotFoundError where there is none. */
  updateInfo(id: number | string, info: FileInfo): Promise<ShownDocument>;
  /** Removes a file with all that is kept of it, and answers what it was. */
  remove(id: number | string): Promise<ShownDocument | undefined>;
}

export const FILES = token<Files>('upload.files');
export type { FileInfo } from './file-info';
export type { FileProvider, FileProviders, FileStore, ReadyFile, UploadHooks } from './hooks';
export { fileUid };

export default definePlugin<UploadOptions>({
  name: 'upload',
  requires: ['sql'],
  after: ['rest', 'graphql', 'openapi', 'draft-publish', 'i18n'],
  options: uploadOptions,
  apply({ hooks, ownHooks, app, config, log, notice, service }, options) {
    if (Object.keys(options.actionOptions).length > 0)
      notice('config/plugins upload.config.actionOptions is without effect: say in providerOptions how files are kept');
    ownHooks('upload', uploadHooks());
    const staging = createStaging(join(app.dataDir, 'upload-staging'));
    const images = createImageWork(options);
    let settings = { optimize: true, responsive: true };
    let chosen: ChosenStore | undefined;
    let addresses: Addresses | undefined;
    let keeper: Keeper | undefined;
    let known: Library | undefined;
    const library = (): Library => {
      known ??= createLibrary({
        documents: service(DOCUMENTS),
        type: () => service(CONTENT).get(fileUid),
        keeper: keeper!,
        staging,
        log,
        images,
        options,
        settings: () => settings,
        filing: createFiling(service),
      });
      return known;
    };

    hooks.content.kinds.tap('upload', (kinds) => kinds.add(media.name, media));
    hooks.content.types.tapPromise('upload', async (definitions) => withUploadTypes(definitions));
    if (hooks.graphql) addToGraphql(hooks.graphql, library, (file) => addresses!.shown(file));
    if (hooks.openapi) describeForm(hooks.openapi, () => `${restPrefix(config())}/upload`);

    hooks.lifecycle.provide.tap('upload', (services) => {
      chosen = chooseStore(options, hooks.upload, { app, log });
      keeper = createKeeper(chosen.name, chosen.store, staging, log);
      addresses = createAddresses(chosen.store);
      const { signInside } = addresses;
      // Costs every answer its parsing: only where nobody may look at files without a signed address.
      if (signInside)
        hooks.document.result.tapPromise('upload', async (documents, { type, rights }) => {
          if (rights !== ownRights) for (const each of documents) await signInside(type, each, service(CONTENT));
          return documents;
        });
      services.add(FILES, library);
    });

    hooks.document.validate.tapPromise('upload', (validation) => refuseOtherSorts(validation, service(CONTENT)));

    hooks.lifecycle.boot.tapPromise('upload', async () => {
      settings = { ...settings, ...(await storedSettings(service(DATABASE))) };
      await staging.open();
      const one = async (filters: object): Promise<ShownDocument | undefined> =>
        (await service(DOCUMENTS).of(fileUid).find({ filters }))[0];
      const rows = {
        async keysOf(hash: string) {
          const file = await one({ hash: { $eq: hash } });
          return file ? keysOf(file) : [];
        },
        row: (id: number) => one({ id: { $eq: id } }),
      };
      const settle = (note: Note | PendingVersions): Promise<void> =>
        note.doing === 'versions' ? library().resume(note) : keeper!.settle(note, rows);
      await staging.sweep({
        settle: (note) => settle(note as Note | PendingVersions),
        tell: (err) =>
          log.error({ err }, 'what an earlier process left could not be tidied up; the next start tries again'),
        done(swept) {
          if (swept > 0) log.info({ swept }, 'what an earlier process left of its uploads was tidied up');
        },
      });
    });

    hooks.lifecycle.close.tapPromise('upload', async () => {
      await known?.settle();
      await staging.close();
      await chosen?.store.close?.();
    });

    hooks.http.routes.tap('upload', (routes) => {
      const { rest } = config().api ?? {};
      addRoutes(routes, {
        prefix: restPrefix(config()),
        pages: rest ?? { defaultLimit: 25, withCount: true },
        limits: options,
        library: library(),
        documents: service(DOCUMENTS),
        staging,
        type: () => service(CONTENT).get(fileUid),
        types: () => service(CONTENT).types,
        readQuery: createQueryReader(queryLimits(config())),
        mayDo: async (principal: Principal, action: string) =>
          (await hooks.http.authorize.promise({ principal, action })) === true,
        attach: createAttaching(service, hooks.document),
        shown: addresses!.shown,
      });
      const local =
        chosen!.name === localName
          ? (chosen!.options as LocalOptions)
          : { folder: 'uploads', localServer: { maxage: 0 } };
      const serve = createServing(localFolders(local, app), local.localServer.maxage);
      routes.add({ method: 'GET', path: `${uploadsPath}/:name`, access: 'open', handle: serve });
    });
  },
});
