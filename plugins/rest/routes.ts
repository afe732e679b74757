import type { ContentType, Route } from '../../core';
import type { RestOptions } from './config';
import { type HandlerSettings, handlersOf } from './handlers';
import type { DocumentAction } from './hooks';

interface RouteForm {
  readonly action: (typeof plainActions)[number];
  readonly method: Route['method'];
  readonly path: string;
}

/** What every type has routes for, where they are not switched off. */
export const plainActions = ['find', 'findOne', 'create', 'update', 'delete'] as const;

const ofCollection: readonly RouteForm[] = [
  { action: 'find', method: 'GET', path: '' },
  { action: 'findOne', method: 'GET', path: '/:documentId' },
  { action: 'create', method: 'POST', path: '' },
  { action: 'update', method: 'PUT', path: '/:documentId' },
  { action: 'delete', method: 'DELETE', path: '/:documentId' },
];

const ofSingle: readonly RouteForm[] = [
  { action: 'find', method: 'GET', path: '' },
  { action: 'update', method: 'PUT', path: '' },
  { action: 'delete', method: 'DELETE', path: '' },
];

function isSwitchedOn(type: ContentType, action: string, routes: RestOptions['routes']): boolean {
  const choice = routes[type.uid] ?? true;
  return typeof choice === 'boolean' ? choice : choice.includes(action);
}

/** A type's routes, less those that are switched off. */
export function routesOf(
  type: ContentType,
  prefix: string,
  options: RestOptions,
  settings: HandlerSettings,
  actions: readonly DocumentAction[],
): Route[] {
  const isSingle = type.modelKind === 'singleType';
  const handlers = handlersOf(type, settings);
  const base = `${prefix}/${isSingle ? type.singularName : type.pluralName}`;
  const plain = (isSingle ? ofSingle : ofCollection).map(
    ({ action, method, path }): Route => ({
      method,
      path: base + path,
      access: { action: `${type.uid}.${action}` },
      ...((method === 'POST' || method === 'PUT') && { body: 'json' as const }),
      handle: handlers[isSingle && action === 'find' ? 'findOne' : action],
    }),
  );
  const added = actions
    .filter((action) => action.appliesTo(type))
    .map(
      (action): Route => ({
        method: 'POST',
        path: `${base}${isSingle ? '' : '/:documentId'}/${action.path}`,
        access: { action: `${type.uid}.${action.name}` },
        handle: handlers.act(action),
      }),
    );
  return [...plain, ...added].filter(({ access }) =>
    isSwitchedOn(type, (access as { action: string }).action.slice(type.uid.length + 1), options.routes),
  );
}
