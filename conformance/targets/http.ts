import { commonFeatures, type Feature } from '../runner/row';
import type { Answer, Target, TokenKeys } from './target';

export interface HttpTargetOptions {
  url: string;
  /** How reports call it; its URL when absent. */
  name?: string | undefined;
  token?: string | undefined;
  tokens?: TokenKeys | undefined;
  features?: readonly Feature[] | undefined;
  exclusive?: boolean | undefined;
}

/** Any deployment that a URL reaches. */
export function httpTarget(options: HttpTargetOptions): Target {
  const { url, name, token, tokens, features = commonFeatures, exclusive = false } = options;
  const base = url.replace(/\/+$/, '');
  return {
    name: name ?? base,
    features: new Set<Feature>([...features, ...(tokens ? ['api-tokens' as const] : [])]),
    token,
    tokens,
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
