import { IconCheck } from '@tabler/icons-react';
import type { Notice } from './bill-notice.ts';
import classes from './PayPage.module.css';

const looks = {
  arrived: classes.thanks,
  awaited: classes.thanks,
  quiet: classes.ask,
  plain: classes.sentence,
};

/** Read out when it changes, as it does while a payment is awaited. */
export const BillNotice = ({ tone, words }: Notice) => (
  <div role="status">
    <p className={looks[tone]}>
      {/* A tick is for what is done. */}
      {tone === 'arrived' && <IconCheck size={20} stroke={2.4} />}
      <span>{words}</span>
    </p>
  </div>
);
