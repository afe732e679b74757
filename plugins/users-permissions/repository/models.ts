import { Model, type QueryContext } from 'objection';

// Class names have to be identifiers of the tables' own sort; each model is bound to a database when it is used.

class Timed extends Model {
  id!: number;
  document_id!: string;
  created_at!: unknown;
  updated_at!: unknown;
  published_at!: unknown;

  /** Every row of the peer has them; `context.now` is the moment as the database stores it. */
  override $beforeInsert({ now, documentId }: QueryContext): void {
    Object.assign(this, { document_id: documentId(), created_at: now, updated_at: now, published_at: now });
  }

  override $beforeUpdate(_options: unknown, { now }: QueryContext): void {
    this.updated_at = now;
  }
}

export class Permission extends Timed {
  static override tableName = 'up_permissions';
  action!: string;
}

export class Role extends Timed {
  static override tableName = 'up_roles';
  name!: string;
  description!: string | null;
  type!: string;
  permissions?: Permission[];

  static override relationMappings = () => ({
    permissions: {
      relation: Model.ManyToManyRelation,
      modelClass: Permission,
      join: {
        from: 'up_roles.id',
        through: {
          from: 'up_permissions_role_lnk.role_id',
          to: 'up_permissions_role_lnk.permission_id',
          extra: ['permission_ord'],
        },
        to: 'up_permissions.id',
      },
    },
  });
}

/** Which user has which role. */
export class UserRole extends Model {
  static override tableName = 'up_users_role_lnk';
  id!: number;
  user_id!: number;
  role_id!: number;
  user_ord!: number;
}

export class TokenPermission extends Timed {
  static override tableName = 'strapi_api_token_permissions';
  action!: string;
}

export class ApiToken extends Timed {
  static override tableName = 'strapi_api_tokens';
  name!: string;
  description!: string | null;
  kind!: string | null;
  type!: string;
  access_key!: string;
  last_used_at!: unknown;
  expires_at!: unknown;
  lifespan!: number | string | null;
  permissions?: TokenPermission[];

  static override relationMappings = () => ({
    permissions: {
      relation: Model.ManyToManyRelation,
      modelClass: TokenPermission,
      join: {
        from: 'strapi_api_tokens.id',
        through: {
          from: 'strapi_api_token_permissions_token_lnk.api_token_id',
          to: 'strapi_api_token_permissions_token_lnk.api_token_permission_id',
          extra: ['api_token_permission_ord'],
        },
        to: 'strapi_api_token_permissions.id',
      },
    },
  });
}
