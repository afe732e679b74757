import type { GraphqlExtension } from '../../graphql';
import { permissionUid } from '../types/definitions';

/** Permissions are seen through their roles only. */
export const withoutPermissionQueries = ({ shadowCRUD }: GraphqlExtension): void => {
  shadowCRUD(permissionUid).disableQueries();
};
