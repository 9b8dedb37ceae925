//! Time zones: Jekyll writes the day of a post in that of its site into the address of the post.

use super::super::keys;
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Writes a time with an offset as it is in a zone of the tz database. `None` if it has no offset, or if there is no such zone.
pub fn local(date: &str, zone: &str) -> Option<String> {
    let moment: Timestamp = keys::date(date)?.parse().ok()?;
    let zoned = moment.to_zoned(TimeZone::get(zone).ok()?);
    Some(zoned.strftime("%Y-%m-%d %H:%M:%S %z").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_zone() {
        for (date, zone, expected) in [
            ("2015-05-15 23:30:00 -0400", "Europe/Berlin", Some("2015-05-16 05:30:00 +0200")),
            ("2015-01-15 23:30:00 +0100", "Europe/Berlin", Some("2015-01-15 23:30:00 +0100")),
            ("2019-08-08 01:00:00 +0800", "Asia/Shanghai", Some("2019-08-08 01:00:00 +0800")),
            ("2019-08-08T23:00:00Z", "Asia/Kolkata", Some("2019-08-09 04:30:00 +0530")),
            ("2019-03-10 03:00:00 -0500", "America/New_York", Some("2019-03-10 04:00:00 -0400")),
            // Until 2007 the summer of New York began in April.
            ("2006-03-20 12:00:00 -0500", "America/New_York", Some("2006-03-20 12:00:00 -0500")),
            ("2006-04-10 12:00:00 -0500", "US/Eastern", Some("2006-04-10 13:00:00 -0400")),
            ("2019-08-08 01:00:00 +0800", "Mars/Olympus", None),
            ("2019-08-08", "Asia/Shanghai", None),
        ] {
            assert_eq!(local(date, zone).as_deref(), expected, "{date} {zone}");
        }
    }
}
