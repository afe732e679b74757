/** The plugins that come with Heddle are on unless switched off here: `graphql: false`. */
export default {
  sample: { enabled: true, resolve: './config/sample' },
};
