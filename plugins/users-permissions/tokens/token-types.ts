export const tokenTypes = ['full-access', 'read-only', 'custom'] as const;
export type TokenType = (typeof tokenTypes)[number];
