#!/usr/bin/env bash
# Spring Framework 7.0.9, a RouterFunction of its web MVC that is asked twice which handler serves a request, as a filter does that
# decides by the route before the dispatcher asks again.
# Expected: route() answers, and leaves the request alone: the same answer each time.
# Seen: it leaves the pattern that matched in the attributes of the request. The next call combines it with itself, and throws, as a
# pattern cannot have a variable twice; without a variable, the attribute names a path that no route has.
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
			<artifactId>spring-webmvc</artifactId>
			<version>7.0.9</version>
		</dependency>
		<dependency>
			<groupId>org.springframework</groupId>
			<artifactId>spring-test</artifactId>
			<version>7.0.9</version>
		</dependency>
		<dependency>
			<groupId>jakarta.servlet</groupId>
			<artifactId>jakarta.servlet-api</artifactId>
			<version>6.1.0</version>
		</dependency>
	</dependencies>
</project>
POM
mvn -B -q org.apache.maven.plugins:maven-dependency-plugin:3.11.0:copy-dependencies -DoutputDirectory=lib

cat >RoutedTwice.java <<'JAVA'
import java.util.List;

import org.springframework.core.SpringVersion;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.util.ServletRequestPathUtils;

public class RoutedTwice {

	public static void main(String[] args) {
		System.out.println("Spring Framework " + SpringVersion.getVersion());
		RouterFunction<ServerResponse> routes = RouterFunctions.route()
			.GET("/orders/{id}", (request) -> ServerResponse.ok().build())
			.GET("/orders", (request) -> ServerResponse.ok().build())
			.build();
		for (String path : List.of("/orders/7", "/orders")) {
			MockHttpServletRequest servletRequest = new MockHttpServletRequest("GET", path);
			ServletRequestPathUtils.parseAndCache(servletRequest);
			ServerRequest request = ServerRequest.create(servletRequest, List.of());
			for (int call = 1; call <= 2; call++) {
				System.out.println(path + ", call " + call + ": " + answer(routes, request));
			}
		}
	}

	private static String answer(RouterFunction<ServerResponse> routes, ServerRequest request) {
		try {
			boolean found = routes.route(request).isPresent();
			return (found ? "a handler, pattern " : "no handler, pattern ")
					+ request.attributes().get(RouterFunctions.MATCHING_PATTERN_ATTRIBUTE);
		}
		catch (RuntimeException ex) {
			return ex.getClass().getSimpleName() + ": " + ex.getMessage();
		}
	}

}
JAVA
javac -d classes -cp 'lib/*' RoutedTwice.java
java -cp 'classes:lib/*' RoutedTwice 2>/dev/null | tee seen

diff - seen <<'EXPECTED'
Spring Framework 7.0.9
/orders/7, call 1: a handler, pattern /orders/{id}
/orders/7, call 2: PatternParseException: Not allowed to capture 'id' twice in the same pattern
/orders, call 1: a handler, pattern /orders
/orders, call 2: a handler, pattern /orders/orders
EXPECTED
