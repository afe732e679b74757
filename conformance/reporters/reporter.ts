import type { RunResult } from '../runner/result';

/** Turns a finished run into a text; where the text goes is the caller's affair. */
export type Reporter = (result: RunResult) => string;

/** For text inside XML and HTML, attributes included. What XML has no way to say is left out. */
export const escaped = (text: string): string =>
  text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
