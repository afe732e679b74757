import { type Feature, featureNames } from '../runner/row';
import type { Answer, Target } from './target';

export interface HttpTargetOptions {
  url: string;
  token?: string | undefined;
  features?: readonly Feature[] | undefined;
  exclusive?: boolean | undefined;
}

/** Any deployment that a URL reaches. */
export function httpTarget({ url, token, features = featureNames, exclusive = false }: HttpTargetOptions): Target {
  const base = url.replace(/\/+$/, '');
  return {
    name: base,
    features: new Set(features),
    token,
    exclusive,
    async send(request, signal): Promise<Answer> {
      const response = await fetch(base + request.path, {
        method: request.method,
        headers: request.headers,
        body: request.body ?? null,
        redirect: 'manual',
        signal,
      });
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        text: await response.text(),
      };
    },
  };
}
