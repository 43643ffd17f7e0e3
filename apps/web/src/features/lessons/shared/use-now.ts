import { systemNow } from '@lessonbook/contract/time';
import { useEffect, useState } from 'react';

export interface LocalTime {
  date: string;
  /** 'HH:mm' */
  time: string;
}

const UPDATE_MS = 30_000;

/** The current time in the tutor's time zone, updated while the page is open. The date is the server's. */
export function useNow(timeZone: string, today: string): LocalTime {
  const [time, setTime] = useState(() => localTime(timeZone));
  useEffect(() => {
    const timer = setInterval(() => setTime(localTime(timeZone)), UPDATE_MS);
    return () => clearInterval(timer);
  }, [timeZone]);
  return { date: today, time };
}

const localTime = (timeZone: string): string =>
  systemNow().toLocaleTimeString('en-GB', { timeZone, timeStyle: 'short' });
