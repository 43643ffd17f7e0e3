import { readConfig } from './config.ts';
import { createContext } from './create-context.ts';
import { seedDemo } from './domains/demo/service/reset-demo.ts';

/** Creates the demo tutor with sample data dated around today, unless it already exists: `npm run seed:demo`. */
const { context, close } = await createContext(readConfig(), 'api');
try {
  const created = await seedDemo(context);
  process.stdout.write(
    created ? 'Created the demo tutor: demo / demo1234\n' : 'The demo tutor already exists.\n',
  );
} finally {
  await close();
}
