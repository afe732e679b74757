/** Who may do what. Nobody may do anything that is not granted here, by `heddle role grant` or by a token. */
export default {
  roles: { public: ['api::note.note.find', 'api::note.note.findOne'] },
};
