import { HeddleError, type ShownDocument, validationError } from '../../core';
import type { GraphqlContext, GraphqlHooks } from '../graphql';
import { fileUid, folderUid } from './content-types';
import type { FileInfo } from './file-info';

/** What is done with files over GraphQL; they are taken over REST only. */
interface Files {
  updateInfo(id: number | string, info: FileInfo): Promise<ShownDocument>;
  remove(id: number | string): Promise<ShownDocument | undefined>;
}

const permission = (action: string): string => `plugin::upload.content-api.${action}`;

const typeDefs = `
input FileInfoInput {
  name: String
  alternativeText: String
  caption: String
}

type Mutation {
  updateUploadFile(id: ID!, info: FileInfoInput): UploadFile!
  deleteUploadFile(id: ID!): UploadFile
}
`;

/** What is not said stays as it is; over GraphQL, null says nothing. */
function infoOf(given: unknown): FileInfo {
  if (given === undefined || given === null) throw validationError('info is missing: say what is to be changed');
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}

type Asked = (args: Record<string, unknown>) => Promise<unknown>;

const permitted =
  (action: string, answer: Asked) =>
  async (_source: unknown, args: Record<string, unknown>, { permit }: GraphqlContext): Promise<unknown> => {
    await permit(permission(action));
    return answer(args);
  };

/** Adds what can be done with files to GraphQL. */
export function addToGraphql(
  { extend, contribute }: GraphqlHooks,
  files: () => Files,
  shown: (file: ShownDocument) => Promise<ShownDocument>,
): void {
  extend.tap({ name: 'upload', mayWait: true }, ({ shadowCRUD }) => {
    shadowCRUD(fileUid).askFor({ find: permission('find'), findOne: permission('findOne') });
    // Folders are the administrators' affair.
    shadowCRUD(folderUid).disable();
  });

  contribute.tap({ name: 'upload', mayWait: true }, (contributions) =>
    contributions.add({
      plugin: 'upload',
      needs: [fileUid],
      typeDefs,
      resolvers: {
        Mutation: {
          updateUploadFile: permitted('upload', async ({ id, info }) => {
            try {
              return await shown(await files().updateInfo(String(id), infoOf(info)));
            } catch (error) {
              if (error instanceof HeddleError && error.name === 'NotFoundError')
                throw new HeddleError('NotFoundError', 'Entity not found', {});
              throw error;
            }
          }),
          deleteUploadFile: permitted('destroy', async ({ id }) => {
            const file = await files().remove(String(id));
            return file ? shown(file) : null;
          }),
        },
      },
    }),
  );
}
