//! Time zones: Jekyll writes the day of a post in that of its site into the address of the post.

use super::super::keys;
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Rules of time zones, each with the first year that they hold for without exception, by the tz database (2025b).
const ZONES: &[(&[&str], i16, &str)] = &[
    (
        &["UTC", "Etc/UTC", "GMT", "Etc/GMT", "Zulu", "Africa/Abidjan", "Africa/Accra", "Atlantic/Reykjavik"],
        1970,
        "UTC0",
    ),
    (&["Europe/London", "Europe/Belfast", "GB"], 1996, "GMT0BST,M3.5.0/1,M10.5.0"),
    (&["Europe/Dublin"], 1996, "GMT0IST,M3.5.0/1,M10.5.0"),
    (&["Europe/Lisbon"], 1996, "WET0WEST,M3.5.0/1,M10.5.0"),
    (
        &[
            "Europe/Amsterdam",
            "Europe/Berlin",
            "Europe/Bratislava",
            "Europe/Brussels",
            "Europe/Budapest",
            "Europe/Copenhagen",
            "Europe/Ljubljana",
            "Europe/Luxembourg",
            "Europe/Madrid",
            "Europe/Oslo",
            "Europe/Paris",
            "Europe/Prague",
            "Europe/Rome",
            "Europe/Stockholm",
            "Europe/Vienna",
            "Europe/Warsaw",
            "Europe/Zagreb",
            "Europe/Zurich",
        ],
        1996,
        "CET-1CEST,M3.5.0,M10.5.0/3",
    ),
    (&["Europe/Athens", "Europe/Bucharest", "Europe/Helsinki", "Europe/Sofia"], 1997, "EET-2EEST,M3.5.0/3,M10.5.0/4"),
    (&["Europe/Tallinn", "Europe/Riga", "Europe/Vilnius"], 2004, "EET-2EEST,M3.5.0/3,M10.5.0/4"),
    (&["Europe/Kyiv", "Europe/Kiev"], 1997, "EET-2EEST,M3.5.0/3,M10.5.0/4"),
    (&["Europe/Istanbul", "Turkey"], 2017, "<+03>-3"),
    (&["Europe/Moscow"], 2015, "MSK-3"),
    (
        &["America/New_York", "America/Toronto", "America/Detroit", "US/Eastern", "EST5EDT"],
        2007,
        "EST5EDT,M3.2.0,M11.1.0",
    ),
    (&["America/Chicago", "America/Winnipeg", "US/Central", "CST6CDT"], 2007, "CST6CDT,M3.2.0,M11.1.0"),
    (
        &["America/Denver", "America/Edmonton", "America/Boise", "US/Mountain", "MST7MDT"],
        2007,
        "MST7MDT,M3.2.0,M11.1.0",
    ),
    (&["America/Los_Angeles", "US/Pacific", "PST8PDT"], 2007, "PST8PDT,M3.2.0,M11.1.0"),
    (&["America/Halifax"], 2007, "AST4ADT,M3.2.0,M11.1.0"),
    (&["America/Phoenix", "US/Arizona"], 1970, "MST7"),
    (&["Pacific/Honolulu", "US/Hawaii"], 1970, "HST10"),
    (&["America/Sao_Paulo"], 2020, "<-03>3"),
    (&["America/Argentina/Buenos_Aires", "America/Buenos_Aires"], 2010, "<-03>3"),
    (&["America/Bogota"], 1994, "<-05>5"),
    (&["America/Lima"], 1995, "<-05>5"),
    (&["America/Mexico_City"], 2023, "CST6"),
    (&["Asia/Shanghai", "Asia/Chongqing", "PRC"], 1992, "CST-8"),
    (&["Asia/Hong_Kong", "Hongkong"], 1980, "HKT-8"),
    (&["Asia/Taipei"], 1980, "CST-8"),
    (&["Asia/Singapore", "Singapore"], 1983, "<+08>-8"),
    (&["Asia/Manila"], 1991, "PST-8"),
    (&["Australia/Perth"], 2010, "AWST-8"),
    (&["Asia/Tokyo", "Japan"], 1970, "JST-9"),
    (&["Asia/Seoul"], 1989, "KST-9"),
    (&["Asia/Kolkata", "Asia/Calcutta"], 1970, "IST-5:30"),
    (&["Asia/Kathmandu"], 1987, "<+0545>-5:45"),
    (&["Asia/Karachi"], 2010, "PKT-5"),
    (&["Asia/Dhaka"], 2010, "<+06>-6"),
    (&["Asia/Bangkok", "Asia/Ho_Chi_Minh", "Asia/Saigon"], 1976, "<+07>-7"),
    (&["Asia/Jakarta"], 1970, "WIB-7"),
    (&["Asia/Dubai"], 1970, "<+04>-4"),
    (&["Africa/Lagos"], 1970, "WAT-1"),
    (&["Africa/Nairobi"], 1970, "EAT-3"),
    (&["Africa/Johannesburg"], 1970, "SAST-2"),
    (&["Australia/Sydney", "Australia/Melbourne", "Australia/Canberra"], 2009, "AEST-10AEDT,M10.1.0,M4.1.0/3"),
    (&["Australia/Brisbane"], 1993, "AEST-10"),
    (&["Australia/Adelaide"], 2009, "ACST-9:30ACDT,M10.1.0,M4.1.0/3"),
    (&["Pacific/Auckland", "NZ"], 2008, "NZST-12NZDT,M9.5.0,M4.1.0/3"),
];

/// Writes a time with an offset as it is in a zone. `None` if the rules of the zone at that time are not known.
pub fn local(date: &str, zone: &str) -> Option<String> {
    let moment: Timestamp = keys::date(date)?.parse().ok()?;
    let (_, first, rule) = ZONES.iter().find(|(names, ..)| names.contains(&zone))?;
    let zoned = moment.to_zoned(TimeZone::posix(rule).ok()?);
    (zoned.year() >= *first).then(|| zoned.strftime("%Y-%m-%d %H:%M:%S %z").to_string())
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
            ("2006-03-20 12:00:00 -0500", "America/New_York", None),
            ("2019-08-08 01:00:00 +0800", "Asia/Pyongyang", None),
            ("2019-08-08", "Asia/Shanghai", None),
        ] {
            assert_eq!(local(date, zone).as_deref(), expected, "{date} {zone}");
        }
        for (names, _, rule) in ZONES {
            assert!(TimeZone::posix(rule).is_ok(), "{names:?}");
        }
    }
}
