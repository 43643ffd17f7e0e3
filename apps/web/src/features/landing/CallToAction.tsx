import { Link } from '@tanstack/react-router';
import buttons from './buttons.module.css';
import classes from './CallToAction.module.css';

export function CallToAction() {
  return (
    <section className={classes.board} aria-labelledby="start-heading">
      <h2 id="start-heading">Open a fresh page.</h2>
      <p>Try it for 14 days with your own timetable. Nothing to pay, nothing to cancel.</p>
      <Link to="/signup" className={buttons.yellow}>
        Start your free trial
      </Link>
      <svg viewBox="0 0 400 300" aria-hidden="true">
        <path d="M40 180c60 34 96 78 118 108C190 176 266 84 372 22" />
      </svg>
    </section>
  );
}
