import type { ContentType, Route } from '../../core';
import type { RestOptions } from './config';
import { type HandlerSettings, handlersOf } from './handlers';

interface RouteForm {
  readonly action: string;
  readonly method: Route['method'];
  readonly path: string;
}

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
  return typeof choice === 'boolean' ? choice : choice.includes(action as never);
}

/** A type's routes, less those that are switched off. */
export function routesOf(type: ContentType, prefix: string, options: RestOptions, settings: HandlerSettings): Route[] {
  const isSingle = type.modelKind === 'singleType';
  const handlers = handlersOf(type, settings);
  const base = `${prefix}/${isSingle ? type.singularName : type.pluralName}`;
  return (isSingle ? ofSingle : ofCollection)
    .filter(({ action }) => isSwitchedOn(type, action, options.routes))
    .map(
      ({ action, method, path }): Route => ({
        method,
        path: base + path,
        access: { action: `${type.uid}.${action}` },
        ...((method === 'POST' || method === 'PUT') && { body: 'json' as const }),
        handle: handlers[isSingle && action === 'find' ? 'findOne' : action]!,
      }),
    );
}
