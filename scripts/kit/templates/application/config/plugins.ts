/** `name: false` switches a plugin off, `name: { config, resolve }` switches one on; with `enabled: false`, one of your own off. */
export default {};
