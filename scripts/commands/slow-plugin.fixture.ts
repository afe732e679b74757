/** A plugin whose route `/slow` takes its time, for tests of what is in flight. */
export const slowPlugin = (milliseconds: number): string => `
module.exports = {
  name: 'slow',
  apply({ hooks }) {
    hooks.http.routes.tap('slow', (routes) => {
      routes.add({ method: 'GET', path: '/slow', access: 'open', async handle(context) {
        await new Promise((resolve) => setTimeout(resolve, ${milliseconds}));
        context.body = { done: true };
      } });
    });
  },
};`;
