/** `name: false` switches a plugin off, `name: { config, resolve }` switches one on. */
export default {};
