type Entry = Readonly<Record<string, unknown>>;

/** The sample's entries by content type. */
export const entries: Readonly<Record<string, readonly Entry[]>> = {
  'api::category.category': [
    { name: 'Looms', slug: 'looms', description: 'Frames, from a piece of cardboard to sixteen shafts.' },
    { name: 'Yarn', slug: 'yarn', description: 'Wool, linen, cotton, and what becomes of them on the loom.' },
    { name: 'Patterns', slug: 'patterns', description: 'Which thread goes over, and which goes under.' },
  ],
  'api::author.author': [
    {
      name: 'Ines Albrecht',
      email: 'ines@example.org',
      biography: 'Weaves rugs, and repairs looms older than her house.',
      weavingSince: 1994,
    },
    {
      name: 'Tomasz Wrona',
      email: 'tomasz@example.org',
      biography: 'Draws patterns by day and weaves them at night.',
      weavingSince: 2011,
    },
  ],
  'api::article.article': [
    {
      title: 'Your first loom is a cardboard box',
      slug: 'your-first-loom',
      summary: 'Twelve notches, a ball of string, one evening.',
      body: 'Cut **twelve notches** into two opposite edges of a sturdy box. Wind the string from notch to notch.',
      level: 'beginner',
      minutes: 6,
      featured: true,
      writtenOn: '2024-03-02',
      tags: ['loom', 'cardboard'],
    },
    {
      title: 'What a heddle does',
      slug: 'what-a-heddle-does',
      summary: 'The eye that every thread passes through.',
      body: 'A heddle lifts one thread of the warp. Lift *every second one*, and there is room for the weft.',
      level: 'beginner',
      minutes: 4,
      featured: true,
      writtenOn: '2024-03-16',
      tags: ['heddle', 'warp'],
    },
    {
      title: 'Wool that felts, and wool that does not',
      slug: 'wool-that-felts',
      summary: 'A hot wash tells, but a look at the label is cheaper.',
      body: 'Untreated wool shrinks and mats in hot water. That is a pity for a scarf and a blessing for a slipper.',
      level: 'practised',
      minutes: 9,
      writtenOn: '2024-05-20',
      tags: ['yarn', 'wool'],
    },
    {
      title: 'Reading a draft for eight shafts',
      slug: 'reading-a-draft',
      summary: 'Threading, tie-up, treadling: three grids and how they meet.',
      body: 'Read the threading from right to left, then follow each treadle through the tie-up to its shafts.',
      level: 'expert',
      minutes: 15,
      writtenOn: '2024-09-01',
      tags: ['pattern', 'draft'],
    },
    {
      title: 'Warping a loom alone',
      slug: 'warping-a-loom-alone',
      summary: 'Two hands are enough, if a chair holds the other end.',
      body: 'Chain the warp, weigh its end down with a chair, and wind on a turn at a time.',
      level: 'practised',
      minutes: 11,
      writtenOn: '2025-01-12',
      tags: ['loom', 'warp'],
    },
  ],
  'api::about.about': [
    {
      title: 'The weaving notebook',
      text: 'A small sample: articles on weaving, their authors and categories. Change it, or put your own in its place.',
    },
  ],
};
