/** Who may do what. Roles that are not listed here are granted more by `heddle role grant`; nobody else may do anything. */
export default {
  roles: { public: ['api::note.note.find', 'api::note.note.findOne'] },
};
