/** Who may do what. Nobody may do what is not granted: to a role in here, to one that is not listed by `heddle role grant`, or to a token. */
export default {
  roles: { public: ['api::note.note.find', 'api::note.note.findOne'] },
};
