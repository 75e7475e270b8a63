#!/usr/bin/env bash
# Spring Framework 7.0.9, CronExpression.next(ZonedDateTime), where the clocks are set back.
# Expected: an instant after the one that was asked for, and each local time that the day has twice found twice.
# Seen: in Australia/Lord_Howe, which goes back by 30 minutes, the hour after 2026-04-04T14:00:00Z is that same instant.
# In America/Havana, which goes back from 1:00 to 0:00, the first midnight of 2026-11-01 (04:00Z) is left out.
# So a loop that asks again from the answer until that is later needs a bound of its own.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat >pom.xml <<'POM'
<project xmlns="http://maven.apache.org/POM/4.0.0">
	<modelVersion>4.0.0</modelVersion>
	<groupId>example</groupId>
	<artifactId>example</artifactId>
	<version>1</version>
	<dependencies>
		<dependency>
			<groupId>org.springframework</groupId>
			<artifactId>spring-context</artifactId>
			<version>7.0.9</version>
		</dependency>
	</dependencies>
</project>
POM
mvn -B -q org.apache.maven.plugins:maven-dependency-plugin:3.11.0:copy-dependencies -DoutputDirectory=lib

cat >Next.java <<'JAVA'
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;

import org.springframework.scheduling.support.CronExpression;

public class Next {

	public static void main(String[] args) {
		print("0 0 * * * *", "2026-04-04T14:00:00Z", "Australia/Lord_Howe");
		print("0 0 0 * * *", "2026-11-01T03:59:59Z", "America/Havana");
	}

	private static void print(String cron, String instant, String zone) {
		ZonedDateTime time = Instant.parse(instant).atZone(ZoneId.of(zone));
		System.out.println(zone + " " + time.toInstant() + " -> " + CronExpression.parse(cron).next(time).toInstant());
	}

}
JAVA
java -cp 'lib/*' Next.java | tee seen

diff - seen <<'EXPECTED'
Australia/Lord_Howe 2026-04-04T14:00:00Z -> 2026-04-04T14:00:00Z
America/Havana 2026-11-01T03:59:59Z -> 2026-11-01T05:00:00Z
EXPECTED
