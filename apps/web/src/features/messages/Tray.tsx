import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { EmptyState } from '../../components/EmptyState.tsx';
import { LoadError } from '../../components/LoadError.tsx';
import { RowSkeleton } from '../../components/RowSkeleton.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { Spot } from '../../components/Spot.tsx';
import type { Wall } from '../../lib/moments.ts';
import { remindersQuery } from '../reminders/api.ts';
import { trayQuery } from './api.ts';
import classes from './Drafts.module.css';
import { byDay } from './message-words.ts';
import { TrayRow } from './TrayRow.tsx';

/** WhatsApp drafts that wait for the tutor's own thumb. */
export function Tray({ wall }: { wall: Wall }) {
  const tray = useQuery(trayQuery);
  const { data: reminders } = useQuery(remindersQuery);
  const place = useRef<HTMLDivElement>(null);

  if (!tray.data) {
    return (
      <Sheet>
        {tray.isError ? (
          <LoadError onRetry={() => void tray.refetch()}>
            What is to be sent could not be loaded.
          </LoadError>
        ) : (
          <RowSkeleton rows={4} />
        )}
      </Sheet>
    );
  }
  return (
    // Takes the focus when the row that had it is gone.
    <div ref={place} tabIndex={-1} className={classes.place}>
      {tray.data.length === 0 ? (
        <Sheet>
          <EmptyState drawing={<Spot name="talk" size={112} />}>
            Nothing to send. Messages by WhatsApp wait here until you have sent them.
          </EmptyState>
        </Sheet>
      ) : (
        <Sheet heading={`${tray.data.length} to send`}>
          {byDay(tray.data, wall).map(({ name, messages }) => (
            <section key={name} className={classes.day}>
              <h3>{name}</h3>
              <ul>
                {messages.map((message) => (
                  <TrayRow
                    key={message.id}
                    message={message}
                    byItself={reminders?.whatsAppByItself ?? false}
                    onGone={() => place.current?.focus()}
                  />
                ))}
              </ul>
            </section>
          ))}
        </Sheet>
      )}
    </div>
  );
}
