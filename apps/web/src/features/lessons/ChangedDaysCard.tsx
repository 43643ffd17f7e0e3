import type { DayChange } from '@lessonbook/contract/day-changes';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { CurrentDayChanges } from './CurrentDayChanges.tsx';
import { DayChangeDialog } from './DayChangeDialog.tsx';
import { dayChangesQuery } from './day-changes-api.ts';

/** Current and future days whose lessons were moved online or cancelled together. Shows nothing if there are none. */
export function ChangedDaysCard({ today }: { today: string }) {
  const { data: changes = [] } = useQuery(dayChangesQuery);
  const [extended, setExtended] = useState<DayChange | null>(null);
  if (changes.length === 0) return null;
  return (
    <Card heading="Changed days">
      <CurrentDayChanges changes={changes} today={today} onExtend={setExtended} />
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
