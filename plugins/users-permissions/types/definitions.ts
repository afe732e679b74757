import type { AttributeDefinition, TypeDefinition } from '../../../core';

export const userUid = 'plugin::users-permissions.user';
export const roleUid = 'plugin::users-permissions.role';
export const permissionUid = 'plugin::users-permissions.permission';

const file = 'plugin users-permissions';

const type = (
  name: string,
  collectionName: string,
  attributes: Readonly<Record<string, AttributeDefinition>>,
): TypeDefinition => ({
  uid: `plugin::users-permissions.${name}`,
  file,
  modelKind: 'collectionType',
  collectionName,
  info: { singularName: name, pluralName: `${name}s`, displayName: `${name[0]!.toUpperCase()}${name.slice(1)}` },
  options: { draftAndPublish: false },
  pluginOptions: {},
  attributes,
});

const relation = (form: string, target: string, side: object): AttributeDefinition => ({
  type: 'relation',
  relation: form,
  target,
  ...side,
});

export const userType = type('user', 'up_users', {
  username: { type: 'string', minLength: 3, unique: true, required: true },
  email: { type: 'email', required: true },
  provider: { type: 'string' },
  password: { type: 'password', minLength: 6, private: true },
  resetPasswordToken: { type: 'string', private: true },
  confirmationToken: { type: 'string', private: true },
  confirmed: { type: 'boolean', default: false },
  blocked: { type: 'boolean', default: false },
  role: relation('manyToOne', roleUid, { inversedBy: 'users' }),
});

const roleType = type('role', 'up_roles', {
  name: { type: 'string', minLength: 3, required: true },
  description: { type: 'string' },
  type: { type: 'string', unique: true },
  permissions: relation('oneToMany', permissionUid, { mappedBy: 'role' }),
  users: relation('oneToMany', userUid, { mappedBy: 'role' }),
});

const permissionType = type('permission', 'up_permissions', {
  action: { type: 'string', required: true },
  role: relation('manyToOne', roleUid, { inversedBy: 'permissions' }),
});

export const ownTypes: readonly TypeDefinition[] = [userType, roleType, permissionType];
