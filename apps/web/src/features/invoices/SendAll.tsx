import { Button } from '@mantine/core';
import { count } from '../../lib/format.ts';
import type { SendingAll } from './send-all.ts';

/** All of them by mail, one after the other; what became of each stands in its row. */
export function SendAll({ sending }: { sending: SendingAll }) {
  const { left, isBusy, sendAll } = sending;
  return (
    <>
      {left > 0 && (
        <Button disabled={isBusy} onClick={() => void sendAll()}>
          {isBusy ? 'Sending...' : 'Send all by e-mail'}
        </Button>
      )}
      <p role="status">
        {!isBusy && sending.sent > 0 && `${count(sending.sent, 'e-mail')} on the way.`}
      </p>
    </>
  );
}
