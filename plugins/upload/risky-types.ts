/** What a browser could run with the rights of the site it comes from: handed out as a download only. */
export const riskyTypes: ReadonlySet<string> = new Set([
  'text/html',
  'application/xhtml+xml',
  'image/svg+xml',
  'text/xml',
  'application/xml',
  'application/rss+xml',
  'application/atom+xml',
  'application/mathml+xml',
  'text/javascript',
  'application/javascript',
  'application/ecmascript',
  'application/wasm',
  'application/x-shockwave-flash',
  'multipart/related',
]);
