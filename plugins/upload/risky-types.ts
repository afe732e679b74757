const listed: ReadonlySet<string> = new Set([
  'text/html',
  'text/xsl',
  'text/javascript',
  'application/javascript',
  'application/ecmascript',
  'application/wasm',
  'application/x-shockwave-flash',
  'multipart/related',
]);

/**
 * Whether a browser could run it with the rights of the site it comes from: handed out as a download only. Browsers show
 * whatever is called XML as XML, and what is in it may be a script.
 */
export const isRisky = (mime: string): boolean => listed.has(mime) || /[+/]xml$/.test(mime);
