import type { ContentType, Route } from '../../core';
import type { RestOptions, RouteOptions } from './config';
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

/** What was chosen for the route of an action: nothing where it is switched off. */
function chosenFor(type: ContentType, action: string, routes: RestOptions['routes']): RouteOptions | undefined {
  const choice = routes[type.uid] ?? true;
  if (typeof choice === 'boolean') return choice ? {} : undefined;
  if (Array.isArray(choice)) return choice.includes(action) ? {} : undefined;
  const own = choice[action] ?? true;
  return typeof own === 'boolean' ? (own ? {} : undefined) : own;
}

/** The route of an action as it was chosen. */
function asChosen(route: Route, { auth, policies, middlewares }: RouteOptions): Route {
  const access = auth === false ? 'open' : (auth ?? route.access);
  return { ...route, access, ...(policies && { policies }), ...(middlewares && { middlewares }) };
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
  return [...plain, ...added].flatMap((route) => {
    const { action } = route.access as { action: string };
    const chosen = chosenFor(type, action.slice(type.uid.length + 1), options.routes);
    return chosen ? [asChosen(route, chosen)] : [];
  });
}
