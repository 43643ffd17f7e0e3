import type { OnboardingProgress as Steps } from '@lessonbook/contract/reports';
import { Button } from '@mantine/core';
import { IconChevronRight, IconCircle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Card } from '../../components/Card.tsx';
import { onboardingQuery } from '../reports/api.ts';
import classes from './Onboarding.module.css';

interface Step {
  done: keyof Steps;
  label: string;
  hint?: string;
  link: Pick<LinkProps, 'to' | 'search'>;
}

const steps: Step[] = [
  {
    done: 'student',
    label: 'Add your first student',
    link: { to: '/schedule', search: { view: 'students' } },
  },
  { done: 'lesson', label: 'Put a lesson in the book', link: { to: '/schedule' } },
  {
    done: 'payment',
    label: 'Say how families pay you',
    hint: 'Your bank details, or cards',
    link: { to: '/settings/business' },
  },
  {
    done: 'reminders',
    label: 'Start reminders',
    hint: 'If you like; you see them first',
    link: { to: '/settings/reminders' },
  },
];

/** For a new tutor: what comes first, ticked by what stands in the book. It goes by itself. */
export function Onboarding({ onOver }: { onOver: () => void }) {
  const { data: done } = useQuery(onboardingQuery);
  const isOver = done?.taught || (done?.student && done.lesson && done.payment);
  useEffect(() => {
    if (isOver) onOver();
  }, [isOver, onOver]);

  // Help that cannot be loaded is not missed.
  if (!done || isOver) return null;
  return (
    <Card
      heading="First steps"
      aside={
        <Button variant="subtle" size="sm" className={classes.hide} onClick={onOver}>
          Hide this
        </Button>
      }
    >
      <ul className={classes.list}>
        {steps.map((step) => (
          <li key={step.done}>
            {done[step.done] ? (
              <p className={classes.step} data-done>
                <IconCircleCheck size={22} stroke={1.8} aria-hidden="true" />
                <span>{step.label}</span>
                <b>Done</b>
              </p>
            ) : (
              <Link {...step.link} className={classes.step}>
                <IconCircle size={22} stroke={1.8} aria-hidden="true" />
                <span>
                  {step.label}
                  {step.hint && <small>{step.hint}</small>}
                </span>
                <IconChevronRight size={18} stroke={1.8} aria-hidden="true" />
              </Link>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
