/** Who is asking. Plugins that authenticate extend it by what they need to authorize. */
export interface Principal {
  /** `public`, `user`, `token`, `system`, … */
  readonly kind: string;
  /**
   * Principals with the same text may see the same things: it is part of the key under which compiled plans are
   * kept, so it must change when the rights change, and be shared by everyone who has the same rights.
   */
  readonly rights: string;
}

export const publicPrincipal: Principal = Object.freeze({ kind: 'public', rights: 'public' });

export interface AccessRequest {
  readonly principal: Principal;
  /** `api::article.article.find`: the type's uid and the action. */
  readonly action: string;
}
