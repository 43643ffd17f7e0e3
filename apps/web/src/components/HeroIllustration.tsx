import classes from './HeroIllustration.module.css';

const rows = [
  {
    time: '09:30',
    name: 'Rohan Mehta',
    initials: 'RM',
    subject: '11+ prep',
    color: 'clay',
    fee: null,
  },
  {
    time: '11:00',
    name: 'Isla Brennan',
    initials: 'IB',
    subject: 'Piano',
    color: 'ochre',
    fee: null,
  },
  {
    time: '13:15',
    name: 'Theo Lindqvist',
    initials: 'TL',
    subject: 'Physics A-level',
    color: 'sky',
    fee: '£42',
  },
  {
    time: '15:30',
    name: 'Amira Haddad',
    initials: 'AH',
    subject: 'French',
    color: 'plum',
    fee: '£30',
  },
] as const;

/** A diary page drawn in HTML, so that it stays sharp and follows the theme. Purely decorative. */
export function HeroIllustration() {
  return (
    <div className={classes.stack} aria-hidden="true">
      <div className={classes.back} />
      <div className={classes.page}>
        <div className={classes.head}>
          <span className={classes.day}>Saturday</span>
          <span className={classes.date}>14 November</span>
        </div>
        {rows.map((row) => (
          <div className={classes.row} key={row.time}>
            <span className={classes.time}>{row.time}</span>
            <span className={classes.avatar} data-color={row.color}>
              {row.initials}
            </span>
            <span className={classes.student}>
              <b>{row.name}</b>
              <small>{row.subject}</small>
            </span>
            {row.fee ? <span className={classes.fee}>{row.fee}</span> : <PaidBadge />}
          </div>
        ))}
        <div className={classes.sum}>
          <span>Today</span>
          <b>£132</b>
        </div>
      </div>
    </div>
  );
}

function PaidBadge() {
  return (
    <span className={classes.paid}>
      <svg viewBox="0 0 20 20" width="15" height="15" aria-hidden="true">
        <path
          d="M3.5 11c2 1.2 3.2 2.7 4.2 5C9.7 10.5 12.5 6.7 17 4"
          fill="none"
          stroke="currentColor"
          strokeWidth="2.6"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      Paid
    </span>
  );
}
