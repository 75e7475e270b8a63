#!/usr/bin/env bash
# Spring Boot 4.1.1 with its Tomcat starter, a context that is stopped, started and closed. No request is ever sent.
# Expected: each graceful shutdown ends with "Graceful shutdown complete", as no request is active.
# Seen: so does the first one. That after a restart of the context logs "Graceful shutdown aborted with one or more requests still
# active" at once.
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
			<groupId>org.springframework.boot</groupId>
			<artifactId>spring-boot-starter-webmvc</artifactId>
			<version>4.1.1</version>
		</dependency>
	</dependencies>
</project>
POM
mvn -B -q org.apache.maven.plugins:maven-dependency-plugin:3.11.0:copy-dependencies -DoutputDirectory=lib

cat >Restarted.java <<'JAVA'
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class Restarted {

	public static void main(String[] args) {
		System.out.println("Spring Boot " + SpringBootVersion.getVersion());
		for (boolean restart : new boolean[] { false, true }) {
			System.out.println(restart ? "stop, start, close" : "close");
			ConfigurableApplicationContext context = SpringApplication.run(Restarted.class, "--server.port=0", "--spring.main.banner-mode=off",
					"--logging.pattern.console=%msg%n");
			if (restart) {
				context.stop();
				context.start();
			}
			context.close();
		}
	}

}
JAVA
javac -d classes -cp 'lib/*' Restarted.java
java -cp 'classes:lib/*' Restarted 2>/dev/null | grep -E '^(Spring Boot|close|stop|Graceful)' | tee seen

diff - seen <<'EXPECTED'
Spring Boot 4.1.1
close
Graceful shutdown complete
stop, start, close
Graceful shutdown complete
Graceful shutdown aborted with one or more requests still active
EXPECTED
