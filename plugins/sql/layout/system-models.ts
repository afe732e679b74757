import type { LayoutAttribute, LayoutModel, LinkAttribute, ScalarStorage } from './model';

// The content types that the peer brings along. Their tables are in every database of it, and other tables' keys point
// to them, whether or not a plugin here serves them.

const scalar = (storage: ScalarStorage): LayoutAttribute => ({ storage });

const string = scalar('string');
const text = scalar('text');
const json = scalar('json');
const datetime = scalar('datetime');
const integer = scalar('integer');
const biginteger = scalar('biginteger');
const decimal = scalar('decimal');
const boolean = scalar('boolean');

const link = (
  relation: string,
  target?: string,
  side: Pick<LinkAttribute, 'inversedBy' | 'mappedBy'> = {},
): LayoutAttribute => ({ storage: 'link', relation, target, ...side });

const type = (
  uid: string,
  collectionName: string,
  singularName: string,
  attributes: Readonly<Record<string, LayoutAttribute>>,
): LayoutModel => ({ uid, modelKind: 'collectionType', collectionName, singularName, attributes });

export const systemModels: readonly LayoutModel[] = [
  type('plugin::upload.file', 'files', 'file', {
    name: string,
    alternativeText: text,
    caption: text,
    focalPoint: json,
    width: integer,
    height: integer,
    formats: json,
    hash: string,
    ext: string,
    mime: string,
    size: decimal,
    url: text,
    previewUrl: text,
    provider: string,
    provider_metadata: json,
    related: link('morphToMany'),
    folder: link('manyToOne', 'plugin::upload.folder', { inversedBy: 'files' }),
    folderPath: string,
  }),
  type('plugin::upload.folder', 'upload_folders', 'folder', {
    name: string,
    pathId: integer,
    parent: link('manyToOne', 'plugin::upload.folder', { inversedBy: 'children' }),
    children: link('oneToMany', 'plugin::upload.folder', { mappedBy: 'parent' }),
    files: link('oneToMany', 'plugin::upload.file', { mappedBy: 'folder' }),
    path: string,
  }),
  type('plugin::i18n.locale', 'i18n_locale', 'locale', {
    name: string,
    code: string,
  }),
  type('plugin::content-releases.release', 'strapi_releases', 'release', {
    name: string,
    releasedAt: datetime,
    scheduledAt: datetime,
    timezone: string,
    status: string,
    actions: link('oneToMany', 'plugin::content-releases.release-action', { mappedBy: 'release' }),
  }),
  type('plugin::content-releases.release-action', 'strapi_release_actions', 'release-action', {
    type: string,
    contentType: string,
    entryDocumentId: string,
    locale: string,
    release: link('manyToOne', 'plugin::content-releases.release', { inversedBy: 'actions' }),
    isEntryValid: boolean,
  }),
  type('plugin::review-workflows.workflow', 'strapi_workflows', 'workflow', {
    name: string,
    stages: link('oneToMany', 'plugin::review-workflows.workflow-stage', { mappedBy: 'workflow' }),
    stageRequiredToPublish: link('oneToOne', 'plugin::review-workflows.workflow-stage'),
    contentTypes: json,
  }),
  type('plugin::review-workflows.workflow-stage', 'strapi_workflows_stages', 'workflow-stage', {
    name: string,
    color: string,
    workflow: link('manyToOne', 'plugin::review-workflows.workflow', { inversedBy: 'stages' }),
    permissions: link('manyToMany', 'admin::permission'),
  }),
  type('plugin::users-permissions.permission', 'up_permissions', 'permission', {
    action: string,
    role: link('manyToOne', 'plugin::users-permissions.role', { inversedBy: 'permissions' }),
  }),
  type('plugin::users-permissions.role', 'up_roles', 'role', {
    name: string,
    description: string,
    type: string,
    permissions: link('oneToMany', 'plugin::users-permissions.permission', { mappedBy: 'role' }),
    users: link('oneToMany', 'plugin::users-permissions.user', { mappedBy: 'role' }),
  }),
  type('plugin::users-permissions.user', 'up_users', 'user', {
    username: string,
    email: string,
    provider: string,
    password: string,
    resetPasswordToken: string,
    confirmationToken: string,
    confirmed: boolean,
    blocked: boolean,
    role: link('manyToOne', 'plugin::users-permissions.role', { inversedBy: 'users' }),
  }),
  type('admin::permission', 'admin_permissions', 'permission', {
    action: string,
    actionParameters: json,
    subject: string,
    properties: json,
    conditions: json,
    role: link('manyToOne', 'admin::role', { inversedBy: 'permissions' }),
    apiToken: link('manyToOne', 'admin::api-token', { inversedBy: 'adminPermissions' }),
  }),
  type('admin::user', 'admin_users', 'user', {
    firstname: string,
    lastname: string,
    username: string,
    email: string,
    password: string,
    resetPasswordToken: string,
    resetPasswordTokenExpiresAt: datetime,
    registrationToken: string,
    isActive: boolean,
    roles: link('manyToMany', 'admin::role', { inversedBy: 'users' }),
    apiTokens: link('oneToMany', 'admin::api-token', { mappedBy: 'adminUserOwner' }),
    blocked: boolean,
    preferedLanguage: string,
  }),
  type('admin::role', 'admin_roles', 'role', {
    name: string,
    code: string,
    description: string,
    users: link('manyToMany', 'admin::user', { mappedBy: 'roles' }),
    permissions: link('oneToMany', 'admin::permission', { mappedBy: 'role' }),
  }),
  type('admin::api-token', 'strapi_api_tokens', 'api-token', {
    name: string,
    description: string,
    kind: string,
    type: string,
    accessKey: string,
    encryptedKey: text,
    lastUsedAt: datetime,
    permissions: link('oneToMany', 'admin::api-token-permission', { mappedBy: 'token' }),
    adminPermissions: link('oneToMany', 'admin::permission', { mappedBy: 'apiToken' }),
    adminUserOwner: link('manyToOne', 'admin::user', { inversedBy: 'apiTokens' }),
    expiresAt: datetime,
    lifespan: biginteger,
  }),
  type('admin::api-token-permission', 'strapi_api_token_permissions', 'api-token-permission', {
    action: string,
    token: link('manyToOne', 'admin::api-token', { inversedBy: 'permissions' }),
  }),
  type('admin::transfer-token', 'strapi_transfer_tokens', 'transfer-token', {
    name: string,
    description: string,
    accessKey: string,
    lastUsedAt: datetime,
    permissions: link('oneToMany', 'admin::transfer-token-permission', { mappedBy: 'token' }),
    expiresAt: datetime,
    lifespan: biginteger,
  }),
  type('admin::transfer-token-permission', 'strapi_transfer_token_permissions', 'transfer-token-permission', {
    action: string,
    token: link('manyToOne', 'admin::transfer-token', { inversedBy: 'permissions' }),
  }),
  type('admin::session', 'strapi_sessions', 'session', {
    userId: string,
    sessionId: string,
    childId: string,
    deviceId: string,
    origin: string,
    expiresAt: datetime,
    absoluteExpiresAt: datetime,
    status: string,
    type: string,
    metadata: json,
  }),
];
