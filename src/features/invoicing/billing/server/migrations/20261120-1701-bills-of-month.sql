-- The bills of a month, for lists and files of one.

create index bill_of_month on bill (month, id);
