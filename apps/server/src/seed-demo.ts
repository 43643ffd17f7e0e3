import { readConfig } from './config.ts';
import { findDemoTutor, makeDemoTutor } from './domains/accounts/service/demo.ts';
import { startContext } from './start.ts';

/** Makes the demo tutor, once: `npm run seed:demo`. */
const { context, close } = await startContext(readConfig(), 'api');
try {
  const found = await findDemoTutor(context);
  if (!found) await makeDemoTutor(context);
  process.stdout.write(
    found ? 'The demo tutor is there.\n' : 'The demo tutor was made: demo / demo1234\n',
  );
} finally {
  await close();
}
