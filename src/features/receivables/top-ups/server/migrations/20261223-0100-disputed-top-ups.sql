-- A disputed top-up stops further ones, as a declined one does.
alter table card_top_up drop constraint card_top_up_stopped_check;
alter table card_top_up add constraint card_top_up_stopped_check check (stopped in ('confirm', 'declined', 'refused', 'disputed'));
