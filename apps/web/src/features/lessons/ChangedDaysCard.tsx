import type { DayChange } from '@lessonbook/contract/move-online-or-cancel-days';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { ChangedDaysList } from './ChangedDaysList.tsx';
import { DayChangeDialog } from './DayChangeDialog.tsx';
import { dayChangesQuery } from './day-changes-api.ts';

/** Current and future days whose lessons were moved online or cancelled together. Shows nothing if there are none. */
export function ChangedDaysCard({ today }: { today: string }) {
  const { data: changes = [] } = useQuery(dayChangesQuery);
  const [extended, setExtended] = useState<DayChange | null>(null);
  if (changes.length === 0) return null;
  return (
    <Card heading="Changed days">
      <ChangedDaysList changes={changes} today={today} onExtend={setExtended} />
      <DayChangeDialog
        opened={extended !== null}
        onClose={() => setExtended(null)}
        today={today}
        day={today}
        extended={extended}
      />
    </Card>
  );
}
