-- Charged once to each payer when a session took place in person, in the currency of the lesson.
alter table lessons add column travel_fee integer;
-- Not valid, because no row has a travel fee yet.
alter table lessons add constraint lessons_travel_fee_check check (travel_fee > 0) not valid;
