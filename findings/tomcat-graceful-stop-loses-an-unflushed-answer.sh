#!/usr/bin/env bash
# Spring Boot 4.1.1 with its Tomcat starter (Tomcat 11.0.24). A request is answered by a handler without a body, and a valve around it, as
# that of an access log, takes 2 s more. The context is closed as soon as the handler has ended.
# Expected: the graceful shutdown waits for the request, which gets its answer.
# Seen: "Graceful shutdown complete" at once, since only servlets count as active. The close waits for the thread, 2 s, but the client gets
# no answer: it was not flushed before the handler ended. (One with a body, which Spring MVC flushes, arrives.)
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

cat >Answered.java <<'JAVA'
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;

import jakarta.servlet.ServletException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class Answered {

	static final CountDownLatch ended = new CountDownLatch(1);

	@Bean
	WebServerFactoryCustomizer<TomcatServletWebServerFactory> valve() {
		return (server) -> server.addEngineValves(new ValveBase() {

			@Override
			public void invoke(Request request, Response response) throws IOException, ServletException {
				getNext().invoke(request, response);
				ended.countDown();
				long end = System.nanoTime() + 2_000_000_000L;
				while (System.nanoTime() < end) {
					Thread.onSpinWait();
				}
			}

		});
	}

	@RestController
	static class Controller {

		@GetMapping("/")
		@ResponseStatus(HttpStatus.NO_CONTENT)
		void answer() {
		}

	}

	public static void main(String[] args) throws Exception {
		System.out.println("Spring Boot " + SpringBootVersion.getVersion());
		ConfigurableApplicationContext context = SpringApplication.run(new Class<?>[] { Answered.class, Controller.class }, new String[] {
				"--server.port=0", "--spring.main.banner-mode=off", "--logging.pattern.console=%msg%n" });
		int port = Integer.parseInt(context.getEnvironment().getProperty("local.server.port"));
		try (Socket socket = new Socket("localhost", port)) {
			socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".getBytes());
			ended.await();
			long start = System.nanoTime();
			context.close();
			System.out.println("closed after the thread had ended: " + (System.nanoTime() - start > 1_500_000_000L));
			String answer = new String(socket.getInputStream().readAllBytes());
			System.out.println("answer: " + (answer.isEmpty() ? "none" : answer.lines().findFirst().get()));
		}
	}

}
JAVA
javac -d classes -cp 'lib/*' Answered.java
java -cp 'classes:lib/*' Answered 2>/dev/null | grep -E '^(Spring Boot|closed|answer|Graceful)' | tee seen

diff - seen <<'EXPECTED'
Spring Boot 4.1.1
Graceful shutdown complete
closed after the thread had ended: true
answer: none
EXPECTED
