import { createContext } from './bootstrap.ts';
import { readConfig } from './config.ts';
import { seedDemo } from './domains/demo/service/demo.ts';

/** Makes the demo tutor with a book of lively data around today, once: `npm run seed:demo`. */
const { context, close } = await createContext(readConfig(), 'api');
try {
  const made = await seedDemo(context);
  process.stdout.write(
    made ? 'The demo tutor was made: demo / demo1234\n' : 'The demo tutor is there.\n',
  );
} finally {
  await close();
}
