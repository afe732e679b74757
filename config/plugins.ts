/** `sql` and `rest` are on unless switched off here: `rest: false`. */
export default {
  sample: { enabled: true, resolve: './config/sample' },
};
