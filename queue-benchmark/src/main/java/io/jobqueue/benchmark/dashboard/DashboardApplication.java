package io.jobqueue.benchmark.dashboard;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.jobqueue.benchmark.subject.NoOps;

/**
 * A web application with the dashboard and a worker that is idle: no job is in its queue.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(NoOps.class)
class DashboardApplication {

}
