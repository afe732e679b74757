import { HeddleError } from '../../core';

/** What was asked for can't be done as things are. */
export const unfit = (message: string): HeddleError => new HeddleError('ApplicationError', message, {});

export const unauthorized = (message: string): HeddleError => new HeddleError('UnauthorizedError', message, {});

export const missing = (what: 'Role' | 'User' | 'Session'): HeddleError =>
  new HeddleError('NotFoundError', `${what} not found`, {});
