// For tests: as much of a browser as logging in at a provider takes.

export interface Page {
  readonly url: string;
  readonly status: number;
  readonly location: string | undefined;
  readonly text: string;
  readonly headers: Headers;
}

export function browser() {
  const jar = new Map<string, Map<string, string>>();
  const ofHost = (url: string): Map<string, string> => {
    const { host } = new URL(url);
    if (!jar.has(host)) jar.set(host, new Map());
    return jar.get(host)!;
  };

  async function visit(url: string, form?: Record<string, string>): Promise<Page> {
    const cookies = ofHost(url);
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; '), connection: 'close' },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      if (value === '' || /max-age=0/i.test(cookie)) cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    return {
      url,
      status: answer.status,
      location: location === null ? undefined : new URL(location, url).href,
      text: await answer.text(),
      headers: answer.headers,
    };
  }

  /** Follows redirects within a host, as far as they go. */
  async function follow(url: string, within: string): Promise<Page> {
    let page = await visit(url);
    while (page.location?.startsWith(within)) page = await visit(page.location);
    return page;
  }

  return { visit, follow, cookies: (url: string) => Object.fromEntries(ofHost(url)) };
}

export type Browser = ReturnType<typeof browser>;
