import { z } from 'zod';

// zod writes a program for each schema of an object when that first checks something. Most check once, when an application
// starts, and take longer to write than to do without: together a twelfth of a start.
z.config({ jitless: true });
