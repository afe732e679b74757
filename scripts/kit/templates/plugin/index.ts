import { definePlugin, z } from 'heddle';

/** What `config` may say in config/plugins; anything else keeps the application from starting. */
const options = z.strictObject({ greeting: z.string().min(1).default('Hello') });

/** Private until it is granted, as to the role `public` in config/access. */
const action = 'plugin::my-plugin.report.find';

export default definePlugin<z.infer<typeof options>>({
  name: 'my-plugin',
  // So that the hooks of that plugin are there.
  after: ['graphql'],
  options,
  apply({ hooks }, { greeting }) {
    let refused = 0;
    const report = () => ({ greeting, refused });

    // A hook: the answer to every request that fails comes by.
    hooks.http.error.tap('my-plugin', (answer) => {
      refused += 1;
      return answer;
    });

    // A route.
    hooks.http.routes.tap('my-plugin', (routes) => {
      routes.add({
        method: 'GET',
        path: '/my-plugin',
        access: { action },
        handle(context) {
          context.body = report();
        },
      });
    });

    // A field of GraphQL, unless that is switched off.
    hooks.graphql?.extend.tap('my-plugin', ({ use }) => {
      use({
        typeDefs: `
          type MyPluginReport { greeting: String!, refused: Int! }
          type Query { myPlugin: MyPluginReport! }
        `,
        resolvers: { Query: { myPlugin: report } },
        resolversConfig: { 'Query.myPlugin': { auth: { scope: [action] } } },
      });
    });
  },
});
